using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>
/// A grain with a list, a register and an account. Every way to
/// begin a transaction, or to take part in one, is a method.
/// </summary>
public interface ICellGrain : IGrainWithStringKey
{
    /// <summary>Makes a call's steps, and answers what its accesses saw.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Reconnaissance]
    Task<CellSight[]> Run(CellStep call);

    /// <summary>The same of steps that only read, in a transaction that is declared to.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [ReadOnly]
    Task<CellSight[]> Look(CellStep call);

    /// <summary>One access to this cell.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Reconnaissance]
    Task<CellSight> Access(CellStep access);

    /// <summary>
    /// The same as <see cref="Run"/>, by a method without a transaction, whose code starts one itself. Orleans may
    /// deliver such a call twice, so it has a number, and runs once (<see cref="OwnCalls"/>).
    /// </summary>
    Task<CellSight[]> RunOwn(long number, CellStep call);
}

/// <summary>A cell whose grain is reentrant.</summary>
public interface IOpenCellGrain : ICellGrain
{
    /// <summary>Moves money from this cell's account to another's, with declared accesses.</summary>
    /// <param name="to">The other cell, reentrant as well.</param>
    /// <param name="call">The two steps.</param>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates(CellGrain.Account), Updates(CellGrain.Account, Of = nameof(to))]
    Task<CellSight[]> Pay(string to, CellStep call);

    /// <summary>
    /// The same without a declaration: what it accesses follows from its arguments, and can be learned. Not if the call
    /// has more than those two steps.
    /// </summary>
    /// <param name="to">The other cell, reentrant as well.</param>
    /// <param name="call">The two steps, and now and then a third one.</param>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Reconnaissance]
    Task<CellSight[]> Move(string to, CellStep call);
}

/// <summary>A cell whose grain takes one call at a time.</summary>
public interface IClosedCellGrain : ICellGrain;
