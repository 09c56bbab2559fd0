/** `make` once per key: the routes and the workers of a process in the role `all` share what a service is made of. */
export function makeOnce<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return key => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
}
