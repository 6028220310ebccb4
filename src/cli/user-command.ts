/** `forager user …`: the people who may use the server. */
import { type Command, Option } from 'commander';

const ADD_EXAMPLES = `
Examples:
  forager user add anna                          # asks for a password, unseen
  forager user add bert --role admin --generate  # prints a password that works for a day
  pass show forager | forager user add clara --password-stdin

On a terminal the password is asked for; elsewhere one is generated unless it comes on standard input. It needs
at least 10 characters, and must not contain the name or be one that is tried first. A generated one works for
24 hours, or until it is changed. A password is never an argument, where others could read it.`;

const PASSWD_EXAMPLES = `
Examples:
  forager user passwd anna
  forager user passwd anna --generate
  forager user passwd anna --revoke-keys --password-stdin < new-password

Ends all sessions of the user, and lets the account in again if it was closed after failed logins. Keys stay valid
unless --revoke-keys is given.`;

const LIST_EXAMPLES = `
Examples:
  forager user list
  forager user list --json | jq -r 'select(.role == "admin") | .username'`;

const REMOVE_EXAMPLES = `
Examples:
  forager user remove anna

Sessions and keys of the user go, too. The last administrator cannot be removed.`;

const DISABLE_EXAMPLES = `
Examples:
  forager user disable anna
  forager user enable anna

Holds at once: sessions end, and keys are refused for as long as the account is off.`;

const ENABLE_EXAMPLES = `
Examples:
  forager user enable anna`;

const UNLOCK_EXAMPLES = `
Examples:
  forager user unlock anna

After ten failed logins in 15 minutes an account is closed for the rest of that time, whoever tried. This opens it.`;

const NAME = 'the name of the account';

export function addUserCommand(program: Command): void {
  const user = program.command('user').description('the people who may use the server');
  const actions = () => import('./user-actions.ts');
  user
    .command('add')
    .description('add a user')
    .argument('<username>', 'small letters, digits, ".", "_" and "-"')
    .addOption(new Option('--role <role>', 'what the user may do').choices(['user', 'admin']).default('user'))
    .option('--password-stdin', 'read the password from standard input')
    .option('--generate', 'generate a password and print it')
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await actions()).addUser(name, command);
    });
  user
    .command('list')
    .description('list the users')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showUsers(command);
    });
  user
    .command('passwd')
    .description('give a user another password')
    .argument('<username>', NAME)
    .option('--password-stdin', 'read the password from standard input')
    .option('--generate', 'generate a password and print it')
    .option('--revoke-keys', 'revoke all keys of the user, too')
    .addHelpText('after', PASSWD_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await actions()).setPassword(name, command);
    });
  user
    .command('remove')
    .description('remove a user')
    .argument('<username>', NAME)
    .addHelpText('after', REMOVE_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await actions()).removeUser(name, command);
    });
  for (const [verb, isEnabled, examples] of [
    ['enable', true, ENABLE_EXAMPLES],
    ['disable', false, DISABLE_EXAMPLES],
  ] as const) {
    user
      .command(verb)
      .description(isEnabled ? 'switch an account on again' : 'switch an account off')
      .argument('<username>', NAME)
      .addHelpText('after', examples)
      .action(async (name: string, _options: unknown, command: Command) => {
        await (await actions()).switchUser(name, isEnabled, command);
      });
  }
  user
    .command('unlock')
    .description('open an account that was closed after failed logins')
    .argument('<username>', NAME)
    .addHelpText('after', UNLOCK_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await actions()).unlock(name, command);
    });
}
