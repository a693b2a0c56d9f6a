"""The HTML templates and the one way to fill them: everything escaped, nothing undefined."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment(package: str) -> Environment:
    """The templates of one package."""
    loader = PackageLoader(package, "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def render(template: str, page: object, package: str = "spidercap.report") -> str:
    """The template filled with one page's content."""
    return environment(package).get_template(template).render(page=page)
