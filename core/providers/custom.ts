// Custom (full URL): any address that speaks OpenAI's format, used as it is for whatever is asked.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider, type Door, type DoorCall } from './provider.ts'

const path = ({ base, model }: DoorCall): string => base.replaceAll('{model}', encodeURIComponent(model))
const there = (doors: Door[] = []): Door[] => doors.map((door) => ({ ...door, path }))

export const custom = provider({
  type: 8,
  id: 'custom',
  name: 'Custom (full URL)',
  base_url: '',
  models: [],
  chat: [{ dialect: openaiChat, path }],
  embeddings: there(openaiDoors.embeddings),
  rerank: there(openaiDoors.rerank),
  images: there(openaiDoors.images),
  speech: there(openaiDoors.speech),
  transcription: there(openaiDoors.transcription),
  fields: {
    base_url: { label: 'Full URL; {model} is replaced', placeholder: 'https://host/path/{model}', required: true },
  },
})
