// Suno: music, which is tasks and no calls.
import { provider } from './provider.ts'

export const suno = provider({
  type: 36,
  id: 'suno',
  name: 'Suno API',
  base_url: '',
  models: ['suno_music', 'suno_lyrics'],
  fields: {
    key: { label: 'API key', required: true },
    base_url: { label: 'Address, up to /suno', placeholder: 'https://host', required: true },
  },
})
