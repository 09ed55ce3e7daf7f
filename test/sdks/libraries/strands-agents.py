# /// script
# requires-python = "==3.11.*"
# dependencies = ["strands-agents[openai,anthropic,gemini]==1.62.0"]
# ///
"""Strands Agents, with its models of the three vendors. It streams whatever it asks."""

from asked import HELLO, PERSON, WEATHER, At, Person
from asked import weather as tell_weather
from strands import Agent, tool

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']


@tool
def weather(city: str, unit: str) -> str:
    """Tells the weather in a city.

    Args:
        city: The city.
        unit: The unit: celsius or fahrenheit.
    """
    return tell_weather(city, unit)


def model(at: At):
    if at.format in ('chat', 'responses'):
        from strands.models.openai import OpenAIModel
        from strands.models.openai_responses import OpenAIResponsesModel

        kind = OpenAIModel if at.format == 'chat' else OpenAIResponsesModel
        return kind(client_args={'base_url': at.v1, 'api_key': at.key}, model_id=at.model)
    if at.format == 'anthropic':
        from strands.models.anthropic import AnthropicModel

        return AnthropicModel(client_args={'base_url': at.root, 'api_key': at.key}, model_id=at.model, max_tokens=1000)
    from strands.models.gemini import GeminiModel

    return GeminiModel(client_args={'api_key': at.key, 'http_options': {'base_url': at.root}}, model_id=at.model)


def agent(at: At, **more) -> Agent:
    return Agent(model=model(at), callback_handler=None, **more)


def read(result) -> dict:
    usage = result.metrics.accumulated_usage
    return {'text': str(result).strip(), 'usage': [usage['inputTokens'], usage['outputTokens']]}


def stream(at: At) -> dict:
    return read(agent(at)(HELLO))


def stream_tools(at: At) -> dict:
    return read(agent(at, tools=[weather])(WEATHER))


def structured(at: At) -> dict:
    result = agent(at)(PERSON, structured_output_model=Person)
    return {'value': result.structured_output.model_dump(mode='json')}
