"""What every library is asked: the words, the tool and the shape of an answer. The other side is `said.ts`."""

import os
from enum import Enum
from typing import Literal, Optional

from pydantic import BaseModel, Field

HELLO = 'Say hello.'
WEATHER = 'What is the weather in Paris? Use the tool.'
PERSON = 'Describe the person.'
CITY = 'Describe the city as a JSON object.'
TEXTS = ['one text', 'another text']

UNITS = ['celsius', 'fahrenheit']

# The tool as plain JSON schema, for libraries that take no function.
WEATHER_SCHEMA = {
    'type': 'object',
    'properties': {
        'city': {'type': 'string', 'description': 'The city.'},
        'unit': {'type': 'string', 'enum': UNITS, 'description': 'The unit.'},
    },
    'required': ['city', 'unit'],
    'additionalProperties': False,
}

# The arguments with which the tool was called in the case under way.
calls: list[dict] = []


def weather(city: str, unit: Literal['celsius', 'fahrenheit']) -> str:
    """Tells the weather in a city.

    Args:
        city: The city.
        unit: The unit.
    """
    calls.append({'city': city, 'unit': unit})
    return '21 degrees'


class Level(str, Enum):
    junior = 'junior'
    senior = 'senior'


class Address(BaseModel):
    """Where somebody lives."""

    street: str = Field(max_length=60)
    code: str = Field(pattern=r'^\d{5}$', description='Postal code')
    country: Optional[str] = None


class Person(BaseModel):
    """A person."""

    name: str = Field(min_length=1, max_length=40)
    age: int = Field(ge=0, le=130, description='In years')
    height: float = Field(ge=0, le=3)
    level: Level
    nickname: Optional[str] = Field(default=None, max_length=20)
    tags: list[str] = Field(min_length=1, max_length=5)
    addresses: list[Address]


class At:
    """Where a library is pointed: the format it shall speak, the root of the server, a key and a model."""

    def __init__(self, format: str, root: str, key: str, model: str, embedding: str | None = None):
        self.format = format
        self.root = root
        self.key = key
        self.model = model
        self.embedding = embedding

    @property
    def v1(self) -> str:
        """The base URL that OpenAI's clients are given."""
        return f'{self.root}/v1'

    def in_environment(self) -> None:
        """Says it all in the vendors' variables, for libraries that take no base URL otherwise."""
        os.environ.update(OPENAI_API_KEY=self.key, ANTHROPIC_API_KEY=self.key, GEMINI_API_KEY=self.key)
        os.environ.update(
            OPENAI_BASE_URL=self.v1, ANTHROPIC_BASE_URL=self.root, GOOGLE_GEMINI_BASE_URL=self.root
        )
