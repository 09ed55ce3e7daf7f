# /// script
# requires-python = "==3.11.*"
# dependencies = ["autogen-agentchat==0.7.5", "autogen-ext[openai,anthropic]==0.7.5", "anthropic<1"]
# ///
"""AutoGen's clients of OpenAI and Anthropic, and its assistant with a tool."""

from asked import CITY, HELLO, PERSON, WEATHER, At, Person, weather
from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelFamily, ModelInfo, UserMessage

import json

FORMATS = ['chat', 'anthropic']
INFO = ModelInfo(
    vision=False, function_calling=True, json_output=True, family=ModelFamily.UNKNOWN, structured_output=True
)


def client(at: At):
    if at.format == 'chat':
        from autogen_ext.models.openai import OpenAIChatCompletionClient

        return OpenAIChatCompletionClient(model=at.model, base_url=at.v1, api_key=at.key, model_info=INFO)
    from autogen_ext.models.anthropic import AnthropicChatCompletionClient

    return AnthropicChatCompletionClient(
        model=at.model, base_url=at.root, api_key=at.key, model_info=INFO, max_tokens=1000
    )


def read(answer) -> dict:
    return {'text': answer.content, 'usage': [answer.usage.prompt_tokens, answer.usage.completion_tokens]}


def said(text: str) -> list[UserMessage]:
    return [UserMessage(content=text, source='user')]


async def chat(at: At) -> dict:
    return read(await client(at).create(said(HELLO)))


async def stream(at: At) -> dict:
    pieces = [piece async for piece in client(at).create_stream(said(HELLO))]
    return {**read(pieces[-1]), 'streamed': ''.join(pieces[:-1])}


async def tools(at: At) -> dict:
    agent = AssistantAgent('a', client(at), tools=[weather], reflect_on_tool_use=True)
    run = await agent.run(task=WEATHER)
    return {'text': run.messages[-1].content}


async def stream_tools(at: At) -> dict:
    agent = AssistantAgent('a', client(at), tools=[weather], reflect_on_tool_use=True, model_client_stream=True)
    run = await agent.run(task=WEATHER)
    return {'text': run.messages[-1].content}


async def structured(at: At) -> dict:
    # Anthropic's client has no structured answers.
    if at.format == 'anthropic':
        return None
    answer = await client(at).create(said(PERSON), json_output=Person)
    return {'value': Person.model_validate_json(answer.content).model_dump(mode='json')}


async def json_mode(at: At) -> dict:
    if at.format == 'anthropic':
        return None
    return {'value': json.loads((await client(at).create(said(CITY), json_output=True)).content)}
