using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers;

/// <summary>What is reported. docs/reference/analyzers.md has a section on each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor NotReentrant = new(
        "PJ0001",
        "A grain with transactional state is not reentrant",
        "Mark {0} [Reentrant]: without it, all other calls of the grain wait while an access waits",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "An access of transactional state may wait for another transaction. In a grain that is not [Reentrant], " +
        "every other call waits with it, also the one that it waits for. So such waits are cut short " +
        "(PolyjuiceOptions.NonReentrantWait), and the transaction runs again.");

    public static readonly DiagnosticDescriptor StatelessWorker = new(
        "PJ0002",
        "A stateless worker has transactional state",
        "Take [StatelessWorker] off {0}, or its transactional state: a silo with this class does not start",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        "A transactional state has one grain, and a stateless worker may have many activations. Silos refuse to " +
        "start. A stateless worker may start transactions, and call grains that have the state.");

    public static readonly DiagnosticDescriptor Asynchronous = new(
        "PJ0003",
        "The function given to an access is asynchronous",
        "Give {0} a function that is not asynchronous, and await in the grain's method, before the access",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        "What a function does after its first await would not be part of the access. Functions that return a task " +
        "are refused with an ArgumentException when the access is made.");

    public static readonly DiagnosticDescriptor Blocking = new(
        "PJ0004",
        "The function given to an access blocks its thread",
        "Await in the grain's method, before the access, and not by {0} within it: that holds up the silo's engine",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The silo's engine stands still while a function runs that was given to PerformRead or PerformUpdate. One " +
        "that waits for something that needs the engine waits for ever.");

    public static readonly DiagnosticDescriptor CallInFunction = new(
        "PJ0005",
        "The function given to an access calls a grain or accesses a state",
        "Call {0} in the grain's method, before or after the access, and not within it",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A function that was given to PerformRead or PerformUpdate can't await. A transactional call or another " +
        "access within it throws a LockRecursionException.");

    public static readonly DiagnosticDescriptor ChangingRead = new(
        "PJ0006",
        "A read changes the state",
        "Use PerformUpdate: what the function given to PerformRead changes is lost",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The function that is given to PerformRead gets a copy of the state. Nobody keeps what it changes in it.");

    public static readonly DiagnosticDescriptor KeptState = new(
        "PJ0007",
        "State is kept outside of its access",
        "Return what is needed of the state instead of assigning {0} to {1}, which outlives the access",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "What an access gets is a copy. Changes after the access are lost, and the transaction may abort, or run " +
        "again, while the object is still there with what it saw before.");

    public static readonly DiagnosticDescriptor ChangedCopy = new(
        "PJ0008",
        "A copy of the state is changed after its access",
        "Change the state within PerformUpdate: this changes a copy that nobody uses afterwards",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "What an access returns of the state is a copy. A change of it does not reach the state.");

    public static readonly DiagnosticDescriptor Unobserved = new(
        "PJ0009",
        "Nobody awaits an access",
        "Await {0} or return its task: the transaction may end before the access, and its failure is not seen",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "An access may wait. If its method returns before, the access is not part of the transaction or the " +
        "transaction aborts, and the exception of an access that fails reaches nobody.");

    public static readonly DiagnosticDescriptor RepeatedEffect = new(
        "PJ0010",
        "A transaction that may be run again acts outside of transactional state",
        "Call {0} after the commit, in {1}'s caller, or mark {1} [TransactionRetry(TransactionRetry.Never)]: the " +
        "body may run more than once",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "After an abort that is not its fault, a transaction's body runs again. What it has done outside of " +
        "transactional state is not undone, and is done again.");

    public static readonly DiagnosticDescriptor RepeatedAssignment = new(
        "PJ0011",
        "A transaction that may be run again changes a field",
        "Change {0} after the commit, or in transactional state, or mark {1} " +
        "[TransactionRetry(TransactionRetry.Never)]: the body may run more than once",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "After an abort that is not its fault, a transaction's body runs again. Fields keep what the aborted " +
        "attempt has put there.");

    public static readonly DiagnosticDescriptor Group = new(
        "PJ0012",
        "A class declares a transaction group that it can't have",
        "Change the [TransactionGroup] of {0}, or take it off: {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        "A transaction group says in which log partition a grain's states are, by its key. Silos with a class whose " +
        "grains have no states, or no such keys, refuse to start.");

    private const string Category = "Polyjuice.Usage";
}
