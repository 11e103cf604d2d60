using Orleans;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// The mark of a call's answer whose transaction has waited for long until it could begin
/// (<see cref="UnansweredLimit"/>). Orleans' answer of a transaction can hold an account of it, of which whoever starts
/// one has no use: the mark is such an answer without an account. A client without Polyjuice reads it as the answer
/// that is in it.
/// </summary>
internal static class WaitMark
{
    /// <summary>Marks an answer if its transaction has waited for long.</summary>
    /// <param name="response">The answer, which holds no exception: filters do not see one in a marked answer.</param>
    /// <param name="waited">How long the transaction has waited.</param>
    public static Response Set(Response response, TimeSpan waited) =>
        waited > UnansweredLimit.LongWait ? TransactionResponse.Create(response, null!) : response;

    /// <summary>Takes the mark off an answer that has come.</summary>
    /// <param name="context">The call.</param>
    /// <returns>Whether it was marked.</returns>
    public static bool Take(IOutgoingGrainCallContext context)
    {
        if (context.Response is not TransactionResponse { TransactionInfo: null } marked) return false;
        context.Response = marked.InnerResponse;
        return true;
    }
}
