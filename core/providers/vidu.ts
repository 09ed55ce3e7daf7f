// Vidu: video, as tasks only, by https://platform.vidu.com/docs. Inside China: https://api.vidu.cn.
import { viduFilms } from '../dialects/tasks/vidu.ts'
import { API_KEY, names, provider } from './provider.ts'

export const vidu = provider({
  type: 52,
  id: 'vidu',
  name: 'Vidu',
  base_url: 'https://api.vidu.com',
  models: names('viduq3-pro, viduq3-turbo, viduq3, viduq3-mix, viduq1'),
  tasks: [{ dialect: viduFilms }],
  env: 'VIDU_API_KEY',
  authorize: ({ key }) => ({ authorization: `Token ${key}` }),
  fields: { key: { label: API_KEY, placeholder: 'vda_...', required: true } },
})
