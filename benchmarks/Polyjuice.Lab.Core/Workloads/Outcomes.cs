using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Workloads;

/// <summary>What an exception means for the operation that threw it.</summary>
public static class Outcomes
{
    /// <summary>The same for an application that never refuses.</summary>
    /// <param name="exception">What the call threw.</param>
    public static OperationOutcome Of(Exception exception) => Of<NeverDeclines>(exception);

    /// <summary>Waits for an operation of an application that never refuses.</summary>
    /// <param name="operation">The call.</param>
    public static Task<OperationOutcome> OfAsync(Task operation) => OfAsync<NeverDeclines>(operation);

    /// <summary>Waits for an operation.</summary>
    /// <typeparam name="TDeclined">How the application refuses.</typeparam>
    /// <param name="operation">The call.</param>
    public static async Task<OperationOutcome> OfAsync<TDeclined>(Task operation)
        where TDeclined : Exception
    {
        try
        {
            await operation;
            return OperationOutcome.Committed;
        }
        catch (Exception exception)
        {
            return Of<TDeclined>(exception);
        }
    }

    /// <summary>
    /// Maps the exception of an operation to its outcome. An exception that is neither the application's refusal nor an
    /// end that a transaction or call may have is a bug: it is thrown on, and fails the benchmark.
    /// </summary>
    /// <typeparam name="TDeclined">
    /// How the application refuses; itself, or as the cause of the transaction's abort.
    /// </typeparam>
    /// <param name="exception">What the call threw.</param>
    public static OperationOutcome Of<TDeclined>(Exception exception)
        where TDeclined : Exception
    {
        for (var e = exception; e is not null; e = e.InnerException)
        {
            if (e is TDeclined) return OperationOutcome.Declined;
            if (e is OrleansTransactionOverloadException) return OperationOutcome.Overloaded;
        }

        return CallOutcomes.Of(exception) switch
        {
            CallOutcome.InDoubt => OperationOutcome.InDoubt,
            CallOutcome.GivenUp => OperationOutcome.Aborted,

            // Orleans' own engine names what made it give up as the cause, where an application's refusal would stand.
            CallOutcome.Refused when exception is OrleansTransactionAbortedException => OperationOutcome.Aborted,
            _ => throw new InvalidOperationException(
                "An operation failed in a way that no workload expects: " + exception.Message, exception),
        };
    }

    private sealed class NeverDeclines : Exception;
}
