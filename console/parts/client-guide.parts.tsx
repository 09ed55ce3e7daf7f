import { partStates } from '../parts-page/states.ts'
import { ClientGuide } from './client-guide.tsx'

const first = { address: 'https://weir.test', key: 'sk-1234', model: 'gpt-4o' }

export const states = partStates({
  curl: () => <ClientGuide first={first} />,
})
