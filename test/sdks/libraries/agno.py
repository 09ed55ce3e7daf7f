# /// script
# requires-python = "==3.11.*"
# dependencies = ["agno==3.1.10", "openai==3.54.0", "anthropic==2.12.0", "google-genai==3.4.0"]
# ///
"""Agno, with its models of the three vendors."""

from agno.agent import Agent
from asked import HELLO, PERSON, WEATHER, At, Person, weather

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']


def model(at: At):
    if at.format == 'chat':
        from agno.models.openai import OpenAIChat

        return OpenAIChat(id=at.model, api_key=at.key, base_url=at.v1)
    if at.format == 'responses':
        from agno.models.openai import OpenAIResponses

        return OpenAIResponses(id=at.model, api_key=at.key, base_url=at.v1)
    if at.format == 'anthropic':
        from agno.models.anthropic import Claude

        return Claude(id=at.model, api_key=at.key, client_params={'base_url': at.root})
    from agno.models.google import Gemini

    return Gemini(id=at.model, api_key=at.key, client_params={'http_options': {'base_url': at.root}})


def agent(at: At, **more) -> Agent:
    return Agent(model=model(at), telemetry=False, **more)


def read(run) -> dict:
    # The library swallows what a vendor refused and says it as the answer.
    if run.status.value == 'ERROR':
        raise RuntimeError(run.content)
    return {'text': run.content, 'usage': [run.metrics.input_tokens, run.metrics.output_tokens]}


def streamed(one: Agent, text: str) -> dict:
    *pieces, last = one.run(text, stream=True, yield_run_output=True)
    deltas = ''.join(piece.content for piece in pieces if piece.event == 'RunContent' and piece.content)
    return {**read(last), 'streamed': deltas}


def chat(at: At) -> dict:
    return read(agent(at).run(HELLO))


def stream(at: At) -> dict:
    return streamed(agent(at), HELLO)


def tools(at: At) -> dict:
    return read(agent(at, tools=[weather]).run(WEATHER))


def stream_tools(at: At) -> dict:
    return streamed(agent(at, tools=[weather]), WEATHER)


def structured(at: At) -> dict:
    run = agent(at, output_schema=Person).run(PERSON)
    read(run)
    return {'value': run.content.model_dump(mode='json')}
