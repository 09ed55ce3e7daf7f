# /// script
# requires-python = "==3.11.*"
# dependencies = ["openai-agents==0.24.0", "openai==3.54.0"]
# ///
"""OpenAI's Agents SDK, by Chat Completions and by Responses."""

import openai
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from asked import HELLO, PERSON, WEATHER, At, Person, weather

FORMATS = ['chat', 'responses']
set_tracing_disabled(True)


def agent(at: At, **more) -> Agent:
    client = openai.AsyncOpenAI(base_url=at.v1, api_key=at.key)
    kind = OpenAIChatCompletionsModel if at.format == 'chat' else OpenAIResponsesModel
    settings = ModelSettings(include_usage=True)
    return Agent(name='a', instructions='Be short.', model=kind(at.model, client), model_settings=settings, **more)


def counted(run) -> list[int]:
    usage = run.context_wrapper.usage
    return [usage.input_tokens, usage.output_tokens]


async def chat(at: At) -> dict:
    run = await Runner.run(agent(at), HELLO)
    return {'text': run.final_output, 'usage': counted(run)}


async def streamed(one: Agent, text: str) -> dict:
    run = Runner.run_streamed(one, text)
    deltas = ''
    async for event in run.stream_events():
        if event.type == 'raw_response_event' and event.data.type == 'response.output_text.delta':
            deltas += event.data.delta
    return {'text': run.final_output, 'streamed': deltas, 'usage': counted(run)}


async def stream(at: At) -> dict:
    return await streamed(agent(at), HELLO)


async def tools(at: At) -> dict:
    run = await Runner.run(agent(at, tools=[function_tool(weather)]), WEATHER)
    return {'text': run.final_output, 'usage': counted(run)}


async def stream_tools(at: At) -> dict:
    return await streamed(agent(at, tools=[function_tool(weather)]), WEATHER)


async def structured(at: At) -> dict:
    run = await Runner.run(agent(at, output_type=Person), PERSON)
    return {'value': run.final_output.model_dump(mode='json'), 'usage': counted(run)}
