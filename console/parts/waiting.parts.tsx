import { partStates } from '../parts-page/states.ts'
import { Waiting } from './waiting.tsx'

export const states = partStates({ waiting: () => <Waiting /> })
