// Suno: songs and lyrics, as asynchronous tasks.
import { sunoMusicTasks } from '../dialects/tasks/suno.ts'
import { words } from '../errors.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const suno = provider({
  type: 36,
  id: 'suno',
  name: 'Suno API',
  base_url: '',
  models: ['suno_music', 'suno_lyrics'],
  tasks: [{ dialect: sunoMusicTasks }],
  untestable: true,
  fields: {
    key: { label: API_KEY_LABEL, required: true },
    base_url: {
      label: words('Address, up to /suno'),
      placeholder: 'https://host',
      required: true,
    },
  },
})
