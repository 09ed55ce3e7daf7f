// `npm test` plays the same random cases every time, so that a change is never refused for an old fault that chance has found;
// `npm run test:all` plays new ones, and fast-check prints the seed of a case that fails.
import fc from 'fast-check'
import { runsAllTests } from './suite.ts'

const SEED = 40

if (!runsAllTests) fc.configureGlobal({ seed: SEED })
