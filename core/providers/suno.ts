// Suno: songs and lyrics, made in its own time.
import { sunoTasks } from '../dialects/tasks/suno.ts'
import { words } from '../errors.ts'
import { API_KEY, provider } from './provider.ts'

export const suno = provider({
  type: 36,
  id: 'suno',
  name: 'Suno API',
  base_url: '',
  models: ['suno_music', 'suno_lyrics'],
  tasks: [{ dialect: sunoTasks }],
  untestable: true,
  fields: {
    key: { label: API_KEY, required: true },
    base_url: {
      label: words('Address, up to /suno'),
      placeholder: 'https://host',
      required: true,
    },
  },
})
