# /// script
# requires-python = "==3.11.*"
# dependencies = ["pydantic-ai-slim[openai,anthropic,google]==2.68.0"]
# ///
"""Pydantic AI, with its models of the three vendors."""

from asked import HELLO, PERSON, WEATHER, At, Person, weather
from pydantic_ai import Agent

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']


def model(at: At):
    if at.format in ('chat', 'responses'):
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        kind = OpenAIChatModel if at.format == 'chat' else OpenAIResponsesModel
        return kind(at.model, provider=OpenAIProvider(base_url=at.v1, api_key=at.key))
    if at.format == 'anthropic':
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(at.model, provider=AnthropicProvider(base_url=at.root, api_key=at.key))
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(at.model, provider=GoogleProvider(base_url=at.root, api_key=at.key))


def counted(run) -> list[int]:
    usage = run.usage() if callable(run.usage) else run.usage
    return [usage.input_tokens, usage.output_tokens]


async def chat(at: At) -> dict:
    run = await Agent(model(at)).run(HELLO)
    return {'text': run.output, 'usage': counted(run)}


async def stream(at: At) -> dict:
    async with Agent(model(at)).run_stream(HELLO) as run:
        text = ''.join([delta async for delta in run.stream_text(delta=True)])
        return {'text': text, 'usage': counted(run)}


async def tools(at: At) -> dict:
    run = await Agent(model(at), tools=[weather]).run(WEATHER)
    return {'text': run.output, 'usage': counted(run)}


async def stream_tools(at: At) -> dict:
    async with Agent(model(at), tools=[weather]).run_stream(WEATHER) as run:
        return {'text': await run.get_output(), 'usage': counted(run)}


async def structured(at: At) -> dict:
    # The library's default: an output tool.
    run = await Agent(model(at), output_type=Person).run(PERSON)
    return {'value': run.output.model_dump(mode='json'), 'usage': counted(run)}


async def native(at: At) -> dict:
    from pydantic_ai import NativeOutput

    run = await Agent(model(at), output_type=NativeOutput(Person)).run(PERSON)
    return {'value': run.output.model_dump(mode='json'), 'usage': counted(run)}
