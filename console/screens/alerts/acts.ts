// Acts of the command palette on alert rules.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'alerts.create',
      title: (t) => t('Add an alert rule'),
      access: 'admin',
      run: (go) => go('/alerts', 'create'),
    },
  ],
})
