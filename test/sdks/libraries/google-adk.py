# /// script
# requires-python = "==3.11.*"
# dependencies = ["google-adk==2.13.0", "litellm==1.106.2", "anthropic", "mcp"]
# ///
"""Google's Agent Development Kit: Gemini by itself, Claude by Anthropic's library, OpenAI's format by litellm."""

from asked import HELLO, PERSON, WEATHER, At, Person, weather
from google.adk.agents import LlmAgent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types

FORMATS = ['chat', 'anthropic', 'gemini']


def model(at: At):
    if at.format == 'gemini':
        from google.adk.models import Gemini

        return Gemini(model=at.model, base_url=at.root, client_kwargs={'api_key': at.key})
    if at.format == 'anthropic':
        from anthropic import AsyncAnthropic
        from google.adk.models.anthropic_llm import AnthropicLlm

        return AnthropicLlm(model=at.model, client=AsyncAnthropic(base_url=at.root, api_key=at.key))
    from google.adk.models.lite_llm import LiteLlm

    return LiteLlm(model=f'openai/{at.model}', api_base=at.v1, api_key=at.key)


async def run(at: At, text: str, mode: StreamingMode = StreamingMode.NONE, **more) -> dict:
    runner = InMemoryRunner(agent=LlmAgent(name='a', model=model(at), **more), app_name='a')
    session = await runner.session_service.create_session(app_name='a', user_id='u')
    message = types.Content(role='user', parts=[types.Part(text=text)])
    said, pieces, usage = '', '', None
    async for event in runner.run_async(
        user_id='u', session_id=session.id, new_message=message, run_config=RunConfig(streaming_mode=mode)
    ):
        if event.error_code:
            raise RuntimeError(f'{event.error_code}: {event.error_message}')
        words = ''.join(part.text or '' for part in event.content.parts or []) if event.content else ''
        if event.partial:
            pieces += words
        elif event.is_final_response():
            said = words
        usage = event.usage_metadata or usage
    answer = {'text': said}
    if usage:
        answer['usage'] = [usage.prompt_token_count, (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)]
    return {**answer, 'streamed': pieces} if mode is StreamingMode.SSE else answer


async def chat(at: At) -> dict:
    return await run(at, HELLO)


async def stream(at: At) -> dict:
    return await run(at, HELLO, StreamingMode.SSE)


async def tools(at: At) -> dict:
    return await run(at, WEATHER, tools=[weather])


async def stream_tools(at: At) -> dict:
    return await run(at, WEATHER, StreamingMode.SSE, tools=[weather])


async def structured(at: At) -> dict:
    given = await run(at, PERSON, output_schema=Person)
    return {'value': Person.model_validate_json(given['text']).model_dump(mode='json')}
