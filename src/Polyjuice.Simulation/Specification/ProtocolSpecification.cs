using Polyjuice.Simulation.Specification.Actions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification;

/// <summary>
/// The commit protocol as a state machine: the rules of docs/internals/rules.md, and nothing of the engine. It takes
/// the events of a run one after the other. Each is an action: the rules that guard it are checked against the state,
/// and then the state is what follows. An event that no action allows is refused, with the rule and what contradicts
/// it; whether anything goes wrong by that is another matter.
/// </summary>
/// <remarks>
/// After trace validation: Howard et al., <i>Smart Casual Verification of
/// the Confidential Consortium Framework</i>, NSDI 2025. Not thread-safe.
/// </remarks>
internal sealed class ProtocolSpecification
{
    private readonly SpecificationState _state = new();

    /// <summary>Accepts an event, or refuses it.</summary>
    /// <exception cref="Simulation.Events.SimulationFailedException">
    /// A rule forbids it. Its run is over: nothing is said of the state.
    /// </exception>
    public void Accept(in OwnerFenced e) => TakeOver.Fence(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in RowLoaded e) => TakeOver.Load(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in OwnerServes e) => TakeOver.Serve(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in OwnerStopped e) => TakeOver.Stop(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ClockHeard e) => Access.Hear(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in CallEntered e) => Access.Enter(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in AccessServed e) => Access.Serve(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in VersionWritten e) => Access.Write(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in SnapshotServed e) => Access.ReadSnapshot(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in PrepareSent e) => Order.Prepare(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in TransactionOrdered e) => Order.Take(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in VersionRemoved e) => Order.Remove(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in TurnEnded e) => Order.EndTurn(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in OwnerSaid e) => Say.Take(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in BranchEnded e) => End.Branch(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in RoundPromised e) => End.Promise(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in CallerTold e) => End.Told(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in OutcomeForgotten e) => End.Forget(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in DecisionForgotten e) => End.ForgetDecision(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in AppendAsked e) => Append.Ask(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in BatchWritten e) => Append.Write(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in RowWritten e) => Append.Write(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in AccessRefuted e) => Access.Refute(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in AccessServedAgain e) => Access.ServeAgain(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationQueued e) => Reserve.Join(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationHeld e) => Reserve.Hold(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationHandedOn e) => Reserve.HandOn(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationGaveWay e) => Reserve.GiveWay(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationLeft e) => Reserve.Leave(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationsAsked e) => Reserve.Ask(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationsAwaited e) => Reserve.Await(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationsHeld e) => Reserve.Say(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservationNotCountedOn e) => Reserve.CountNoLonger(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in ReservedBodyBegun e) => Reserve.Begin(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in TransactionOver e) => Reserve.End(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in FinalStepExpected e) => TakeFinalStep.Expect(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in FinalStepTaken e) => TakeFinalStep.Take(_state, e);

    /// <inheritdoc cref="Accept(in OwnerFenced)"/>
    public void Accept(in FinalStepAnswered e) => TakeFinalStep.Answer(_state, e);

    /// <summary>A node has crashed: its agent will never ask again.</summary>
    public void Accept(in NodeDied e) => _state.Node(e.Node).IsDead = true;

    /// <summary>A node takes another for dead.</summary>
    public void Accept(in DeathHeard e) => _state.Node(e.Node).OldestLive[e.Dead] = long.MaxValue;

    /// <summary>Others take a node for dead: what is kept for its agent alone may go, once a log says so.</summary>
    public void Accept(in NodeDeclaredDead e) => _state.Node(e.Node).IsDeclaredDead = true;
}
