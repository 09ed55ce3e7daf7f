# /// script
# requires-python = "==3.11.*"
# dependencies = ["smolagents[openai,litellm]==1.26.0"]
# ///
"""smolagents: a model alone, and an agent that calls tools."""

from asked import HELLO, WEATHER, At
from asked import weather as tell_weather
from smolagents import ChatMessage, MessageRole, OpenAIModel, ToolCallingAgent, tool

FORMATS = ['chat']


@tool
def weather(city: str, unit: str) -> str:
    """Tells the weather in a city.

    Args:
        city: The city.
        unit: The unit: celsius or fahrenheit.
    """
    return tell_weather(city, unit)


def model(at: At) -> OpenAIModel:
    return OpenAIModel(model_id=at.model, api_base=at.v1, api_key=at.key)


def said() -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole.USER, content=[{'type': 'text', 'text': HELLO}])]


def chat(at: At) -> dict:
    answer = model(at).generate(said())
    return {'text': answer.content, 'usage': [answer.token_usage.input_tokens, answer.token_usage.output_tokens]}


def stream(at: At) -> dict:
    deltas = list(model(at).generate_stream(said()))
    usage = [delta.token_usage for delta in deltas if delta.token_usage][-1]
    text = ''.join(delta.content or '' for delta in deltas)
    return {'text': text, 'usage': [usage.input_tokens, usage.output_tokens]}


def tools(at: At) -> dict:
    return {'text': ToolCallingAgent(tools=[weather], model=model(at), max_steps=3).run(WEATHER)}


def stream_tools(at: At) -> dict:
    agent = ToolCallingAgent(tools=[weather], model=model(at), max_steps=3, stream_outputs=True)
    return {'text': agent.run(WEATHER)}
