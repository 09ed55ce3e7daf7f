/** Path of a provider's callbacks, followed by the secret of the task. */
export const NOTIFY_PATH_PREFIX = '/tasks/notify/'
