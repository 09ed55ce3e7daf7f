import { definePreviews } from '../parts-page/states.ts'
import { ClientGuide } from './client-guide.tsx'

const first = { address: 'https://weir.test', key: 'sk-1234', model: 'gpt-4o' }

export const previews = definePreviews({
  curl: () => <ClientGuide first={first} />,
})
