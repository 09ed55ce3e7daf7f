// Acts of the command palette on the dashboard: last month, grouped by each dimension of a bill.
import { declareActs } from '../act.ts'

const lastMonth = (by: string) => `/detail?${new URLSearchParams({ span: 'lastMonth', by }).toString()}`

export const declaration = declareActs({
  acts: [
    {
      key: 'detail.teams',
      title: { en: 'Read last month by team', zh: '按团队查看上个月' },
      access: 'user',
      run: (go) => go(lastMonth('team')),
    },
    {
      key: 'detail.models',
      title: { en: 'Read last month by model', zh: '按模型查看上个月' },
      access: 'user',
      run: (go) => go(lastMonth('model')),
    },
    {
      key: 'detail.users',
      title: { en: 'Read last month by user', zh: '按用户查看上个月' },
      access: 'admin',
      run: (go) => go(lastMonth('user')),
    },
  ],
})
