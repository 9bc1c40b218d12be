"""HTTP service: every game over JSON, and the web page. It uses games only through the `Game` protocol.

`create_app` makes the application for some `Settings`; `forsyth serve` runs it. The service needs the extra
`server` (fastapi, uvicorn).
"""

from forsyth.server.app import create_app
from forsyth.server.settings import Settings

__all__ = ["Settings", "create_app"]
