# /// script
# requires-python = "==3.11.*"
# dependencies = ["google-genai==3.6.1", "pydantic==2.14.3"]
# ///
"""Google's own library."""

import json

from asked import CITY, HELLO, PERSON, TEXTS, WEATHER, At, Person
from asked import weather as tell_weather
from google import genai
from google.genai import types

FORMATS = ['gemini']


def weather(city: str, unit: str) -> str:
    """Tells the weather in a city. The unit is celsius or fahrenheit. (The library does not call functions with literals.)"""
    return tell_weather(city, unit)


def client(at: At) -> genai.Client:
    return genai.Client(api_key=at.key, http_options=types.HttpOptions(base_url=at.root))


def counted(usage) -> list[int]:
    return [usage.prompt_token_count, (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)]


def chat(at: At) -> dict:
    # Held by a name: the library closes a client that nobody holds.
    own = client(at)
    answer = own.models.generate_content(model=at.model, contents=HELLO)
    return {'text': answer.text, 'usage': counted(answer.usage_metadata)}


def stream(at: At) -> dict:
    own = client(at)
    chunks = list(own.models.generate_content_stream(model=at.model, contents=HELLO))
    return {'text': ''.join(chunk.text or '' for chunk in chunks), 'usage': counted(chunks[-1].usage_metadata)}


def tools(at: At) -> dict:
    # The library calls the function itself.
    own = client(at)
    answer = own.models.generate_content(
        model=at.model, contents=WEATHER, config=types.GenerateContentConfig(tools=[weather])
    )
    return {'text': answer.text, 'usage': counted(answer.usage_metadata)}


def stream_tools(at: At) -> dict:
    own = client(at)
    talk = own.chats.create(model=at.model, config=types.GenerateContentConfig(tools=[weather]))
    chunks = list(talk.send_message_stream(WEATHER))
    return {'text': ''.join(chunk.text or '' for chunk in chunks), 'usage': counted(chunks[-1].usage_metadata)}


def structured(at: At) -> dict:
    config = types.GenerateContentConfig(response_mime_type='application/json', response_schema=Person)
    own = client(at)
    answer = own.models.generate_content(model=at.model, contents=PERSON, config=config)
    return {'value': answer.parsed.model_dump(mode='json'), 'usage': counted(answer.usage_metadata)}


def json_mode(at: At) -> dict:
    config = types.GenerateContentConfig(response_mime_type='application/json')
    own = client(at)
    answer = own.models.generate_content(model=at.model, contents=CITY, config=config)
    return {'value': json.loads(answer.text)}


def embeddings(at: At) -> dict:
    own = client(at)
    answer = own.models.embed_content(model=at.embedding, contents=TEXTS)
    return {'vectors': [item.values for item in answer.embeddings]}
