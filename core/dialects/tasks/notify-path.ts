/** Where a provider may say that a task has changed; behind it stands the secret of the task. */
export const NOTIFY_PATH = '/tasks/notify/'
