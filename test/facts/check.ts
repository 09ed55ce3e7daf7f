// Checks the data file of facts before packing: it is complete, and no current model is without a price. Writes
// nothing.
import { factsFile } from '../../core/models/model-facts.data.ts'
import { findFaults } from './file.ts'
import { findUnpriced } from './unpriced.ts'

const faults = [...findFaults(factsFile), ...findUnpriced({ file: factsFile })]
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exitCode = 1
}
