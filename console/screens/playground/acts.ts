// Acts of the command palette in the playground.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'playground.begin',
      title: { en: 'New conversation', zh: '新对话' },
      access: 'user',
      run: (go) => go('/playground', 'begin'),
    },
    {
      key: 'playground.compare',
      title: { en: 'Try a model against another', zh: '对比两个模型' },
      access: 'user',
      run: (go) => go('/playground', 'compare'),
    },
  ],
})
