using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// A call of a transaction to a grain that runs one call at a time, while it is not answered. On the engine's turn, but
/// for <see cref="GivenUp"/>.
/// </summary>
/// <param name="call">The call.</param>
/// <param name="caller">The frame that makes it.</param>
/// <param name="token">What goes along with it.</param>
/// <param name="target">The grain that is called.</param>
/// <param name="name">The method, for messages.</param>
internal sealed class QueuedCall(OutgoingCall call, CallFrame caller, CallToken token, GrainId target, string name)
{
    private readonly TaskCompletionSource _givenUp = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public OutgoingCall Call => call;

    public GrainId Target => target;

    public Guid Key => token.Key;

    /// <summary>It may be asked about at another engine of its silo, so it gets what it is known by there.</summary>
    public void Travel() => token.WriteOnTurn();

    /// <summary>Whether Orleans lets it in beside other such calls.</summary>
    public bool IsReadOnly { get; init; }

    /// <summary>
    /// Whether its key is what Orleans goes by when the grain lets a call in before its turn has come.
    /// </summary>
    public bool MayBeLetIn { get; init; }

    /// <summary>When it was made, in microseconds on the silo's clock.</summary>
    public long Since { get; init; }

    /// <summary>When it is asked about next.</summary>
    public long NextAt { get; set; }

    /// <summary>Its place among those that have just been made.</summary>
    public LinkedListNode<QueuedCall>? Recent { get; set; }

    /// <summary>Whether there is nothing to wait for any more, as far as is known here.</summary>
    public bool HasBegun => call.IsDone || token.IsLocal;

    /// <summary>Ends by an exception when the call's answer is not to be waited for any longer.</summary>
    public Task GivenUp => _givenUp.Task;

    private bool IsKnownToWait { get; set; }

    /// <summary>What was heard of it.</summary>
    public void Hear(TurnAnswer answer, bool isSure)
    {
        if (answer == TurnAnswer.BehindItself && MayBeLetIn && isSure)
        {
            _givenUp.TrySetException(new OrleansTransactionException(
                $"{name} can never run: {target} is not [Reentrant], and is itself waiting for the call that makes "
                + "this one. Make the grain class [Reentrant], or the method [AlwaysInterleave]."));
            return;
        }

        if (answer == TurnAnswer.None || IsKnownToWait) return;

        // Its body has to end, so that the turns which its transaction holds are free.
        IsKnownToWait = true;
        call.OnDoom(() => _givenUp.TrySetException(caller.Refusal()));
    }
}
