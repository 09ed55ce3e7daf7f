// A worker of the test runner is ended by a signal. The listeners of its exit then remove what its gateways and its browser have
// in the temporary folder. Vitest loads this before each test file.
function endWorker(): void {
  // Vitest replaces `process.exit` while tests run.
  process.emit('exit', 0)
  process.kill(process.pid, 'SIGKILL')
}

if (!process.listeners('SIGTERM').some(({ name }) => name === endWorker.name)) process.on('SIGTERM', endWorker)
