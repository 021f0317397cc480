/**
 * The scope of the registration token of agents that the service has started on its own machine:
 * they work on its folders themselves. No token that a user makes can have it.
 */
export const onThisMachine = 'on_this_machine';
