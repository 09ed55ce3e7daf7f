// Acts of the command palette in the playground.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'playground.begin',
      title: (t) => t('New conversation'),
      access: 'user',
      run: (go) => go('/playground', 'begin'),
    },
    {
      key: 'playground.compare',
      title: (t) => t('Try a model against another'),
      access: 'user',
      run: (go) => go('/playground', 'compare'),
    },
  ],
})
