// Acts of the command palette on the dashboard: last month, grouped by each dimension of a bill.
import { declareActs } from '../act.ts'

const lastMonth = (by: string) => `/detail?${new URLSearchParams({ span: 'lastMonth', by }).toString()}`

export const declaration = declareActs({
  acts: [
    {
      key: 'detail.teams',
      title: (t) => t('Read last month by team'),
      access: 'user',
      run: (go) => go(lastMonth('team')),
    },
    {
      key: 'detail.models',
      title: (t) => t('Read last month by model'),
      access: 'user',
      run: (go) => go(lastMonth('model')),
    },
    {
      key: 'detail.users',
      title: (t) => t('Read last month by user'),
      access: 'admin',
      run: (go) => go(lastMonth('user')),
    },
  ],
})
