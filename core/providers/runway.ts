// Runway: video, as tasks only, by https://docs.dev.runwayml.com. Its API has one version.
import { runwayFilmTasks } from '../dialects/tasks/runway.ts'
import { API_KEY_LABEL, bearer, names, provider } from './provider.ts'

export const runway = provider({
  type: 1015,
  id: 'runway',
  name: 'Runway',
  base_url: 'https://api.dev.runwayml.com',
  models: names('gen4.5, gen4_turbo, veo3.1, veo3.1_fast'),
  tasks: [{ dialect: runwayFilmTasks }],
  env: 'RUNWAYML_API_SECRET',
  authorize: (channel) => ({ ...bearer(channel), 'x-runway-version': '2024-11-06' }),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'key_...', required: true } },
})
