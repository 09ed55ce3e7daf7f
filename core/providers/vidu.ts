// Vidu: video, as tasks only, by https://platform.vidu.com/docs. Inside China: https://api.vidu.cn.
import { viduFilmTasks } from '../dialects/tasks/vidu.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const vidu = provider({
  type: 52,
  id: 'vidu',
  name: 'Vidu',
  base_url: 'https://api.vidu.com',
  models: names('viduq3-pro, viduq3-turbo, viduq3, viduq3-mix, viduq1'),
  tasks: [{ dialect: viduFilmTasks }],
  env: 'VIDU_API_KEY',
  authorize: ({ key }) => ({ authorization: `Token ${key}` }),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'vda_...', required: true } },
})
