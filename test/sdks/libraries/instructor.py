# /// script
# requires-python = "==3.11.*"
# dependencies = ["instructor[anthropic,google-genai]==1.17.0"]
# ///
"""instructor over the three vendors' libraries: structured answers by forced tools."""

import instructor
from asked import PERSON, At, Person

FORMATS = ['chat', 'anthropic', 'gemini']


def client(at: At):
    if at.format == 'chat':
        import openai

        return instructor.from_openai(openai.OpenAI(base_url=at.v1, api_key=at.key))
    if at.format == 'anthropic':
        import anthropic

        return instructor.from_anthropic(anthropic.Anthropic(base_url=at.root, api_key=at.key))
    from google import genai

    return instructor.from_genai(genai.Client(api_key=at.key, http_options={'base_url': at.root}))


def wish(at: At, text: str) -> dict:
    limit = {'max_tokens': 1000} if at.format == 'anthropic' else {}
    return {'model': at.model, 'messages': [{'role': 'user', 'content': text}], **limit}


def structured(at: At) -> dict:
    person = client(at).create(response_model=Person, **wish(at, PERSON))
    return {'value': person.model_dump(mode='json')}
