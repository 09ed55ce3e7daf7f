// The program of the counting thread, as text, so that it runs the same from the build and from source.

/** Maximum characters of a run without a break: longer ones would take quadratic time. */
const SLICE = 4096

/**
 * Receives `{ id, texts, encoding }`, and answers `{ id, tokens }`. An encoder's table is loaded on first use.
 * `workerData.modules` names the file of each.
 */
export const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads')
const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() }
parentPort.on('message', ({ id, texts, encoding }) => {
  const { countTokens } = require(workerData.modules[encoding])
  let tokens = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += ${SLICE}) tokens += countTokens(text.slice(at, at + ${SLICE}), plain)
  }
  parentPort.postMessage({ id, tokens })
})
`
