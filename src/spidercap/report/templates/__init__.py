"""The HTML templates and the one way to fill them: everything escaped, nothing undefined."""

from jinja2 import Environment, PackageLoader, StrictUndefined

_environment = Environment(
    loader=PackageLoader("spidercap.report", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


def render(template: str, page: object) -> str:
    """The template filled with one page's content."""
    return _environment.get_template(template).render(page=page)
