# /// script
# requires-python = "==3.11.*"
# dependencies = ["llm==0.36", "llm-anthropic==0.30"]
# ///
"""Simon Willison's llm and its plugin for Anthropic. The one for Gemini takes no base URL."""

import json

from asked import CITY, HELLO, PERSON, WEATHER, At, Person, weather
from llm.default_plugins.openai_models import Chat, Responses
from llm_anthropic import ClaudeMessages

FORMATS = ['chat', 'responses', 'anthropic']


def model(at: At):
    if at.format == 'anthropic':
        one = ClaudeMessages(at.model, base_url=at.root, use_structured_outputs=True)
    else:
        kind = Chat if at.format == 'chat' else Responses
        one = kind(at.model, api_base=at.v1, supports_schema=True, supports_tools=True)
    one.key = at.key
    return one


def read(response, **more) -> dict:
    usage = response.usage()
    return {'text': response.text(), 'usage': [usage.input, usage.output], **more}


def chat(at: At) -> dict:
    return read(model(at).prompt(HELLO, stream=False))


def stream(at: At) -> dict:
    response = model(at).prompt(HELLO, stream=True)
    return read(response, streamed=''.join(response))


def tools(at: At) -> dict:
    *_, last = model(at).chain(WEATHER, tools=[weather], stream=False).responses()
    return read(last)


def stream_tools(at: At) -> dict:
    *_, last = model(at).chain(WEATHER, tools=[weather], stream=True).responses()
    return read(last)


def structured(at: At) -> dict:
    response = model(at).prompt(PERSON, schema=Person, stream=False)
    return {'value': Person.model_validate_json(response.text()).model_dump(mode='json')}


def json_mode(at: At) -> dict:
    if at.format == 'anthropic':
        return None
    return {'value': json.loads(model(at).prompt(CITY, json_object=True, stream=False).text())}
