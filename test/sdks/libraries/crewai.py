# /// script
# requires-python = "==3.11.*"
# dependencies = ["crewai[anthropic,google-genai]==1.15.30"]
# ///
"""CrewAI, with its models of the three vendors: a model alone, and an agent that calls tools."""

from asked import HELLO, PERSON, WEATHER, At, Person
from asked import weather as tell_weather
from crewai import LLM, Agent
from crewai.tools import tool

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']


@tool('weather')
def weather(city: str, unit: str) -> str:
    """Tells the weather in a city. The unit is celsius or fahrenheit."""
    return tell_weather(city, unit)


def model(at: At, **more) -> LLM:
    at.in_environment()
    if at.format in ('chat', 'responses'):
        api = {'api': 'responses'} if at.format == 'responses' else {}
        return LLM(model=at.model, provider='openai', base_url=at.v1, api_key=at.key, **api, **more)
    if at.format == 'anthropic':
        return LLM(model=at.model, provider='anthropic', base_url=at.root, api_key=at.key, **more)
    options = {'http_options': {'base_url': at.root}}
    return LLM(model=at.model, provider='gemini', api_key=at.key, client_params=options, **more)


def chat(at: At) -> dict:
    return {'text': model(at).call(HELLO)}


def stream(at: At) -> dict:
    return {'text': model(at, stream=True).call(HELLO)}


def tools(at: At) -> dict:
    agent = Agent(role='a reporter', goal='Tell the weather.', backstory='None.', llm=model(at), tools=[weather])
    return {'text': agent.kickoff(WEATHER).raw}


def structured(at: At) -> dict:
    given = model(at).call(PERSON, response_model=Person)
    person = given if isinstance(given, Person) else Person.model_validate_json(given)
    return {'value': person.model_dump(mode='json')}
