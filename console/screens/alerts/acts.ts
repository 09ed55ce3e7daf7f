// Acts of the command palette on alert rules.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'alerts.create',
      title: { en: 'Add an alert rule', zh: '添加告警规则' },
      access: 'admin',
      run: (go) => go('/alerts', 'create'),
    },
  ],
})
