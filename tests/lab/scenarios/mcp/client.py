"""Python's client of POST /mcp: writes a deck, asks for approval, and prints what it found as JSON."""

import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['HOOKLINE_API_KEY']}"}
    async with (
        create_mcp_http_client(headers=headers) as http,
        streamable_http_client(os.environ["MCP_URL"], http_client=http) as (read, write, *_),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        tools = (await session.list_tools()).tools
        written = await session.call_tool(
            "create_deck", {"appId": os.environ["APP_ID"], "topic": "a walk in the rain"}
        )
        deck = json.loads(written.content[0].text)
        asked = await session.call_tool("request_approval", {"deckId": deck["id"]})
        record = json.loads(asked.content[0].text)
        print(json.dumps({"tools": [tool.name for tool in tools], "state": record["approvalStatus"]}))


asyncio.run(main())
