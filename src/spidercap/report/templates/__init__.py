"""The HTML templates and the one way to fill them: everything escaped, nothing undefined."""

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from spidercap.text.amounts import decimal


@cache
def environment(package: str) -> Environment:
    """The templates of one package; what all pages share is in this one."""
    packages = dict.fromkeys((package, "spidercap.report"))
    loader = ChoiceLoader([PackageLoader(name, "templates") for name in packages])
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    made.filters["decimal"] = decimal
    return made


def render(template: str, page: object, package: str = "spidercap.report") -> str:
    """The template filled with one page's content."""
    return environment(package).get_template(template).render(page=page)
