namespace Polyjuice.Contracts;

/// <summary>Why a table is in force.</summary>
internal enum ChoiceReason
{
    /// <summary>It is the first one.</summary>
    First,

    /// <summary>It races with others.</summary>
    Tried,

    /// <summary>It has won a race.</summary>
    Won,

    /// <summary>Another node said so.</summary>
    Told,
}
