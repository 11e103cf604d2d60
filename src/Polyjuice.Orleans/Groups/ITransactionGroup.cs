using Orleans.Runtime;

namespace Polyjuice;

/// <summary>
/// Says which group a grain belongs to, for <see cref="TransactionGroupAttribute{TGroup}"/>. Where its states are
/// follows from the answer: it must be the same on every silo, in every version, for as long as the logs last.
/// </summary>
public interface ITransactionGroup
{
    /// <summary>
    /// The group of a grain, by nothing but its identity. Called often, on any thread, by several at a time: it must be
    /// quick, wait for nothing, and change nothing.
    /// </summary>
    /// <param name="grain">The grain; <see cref="GrainIdKeyExtensions"/> reads its key.</param>
    /// <returns>
    /// At least one character. If it is <see langword="null"/> or empty, or if this throws, calls of the grain fail
    /// with a <see cref="Orleans.TransactionGroupException"/>.
    /// </returns>
    static abstract string GroupOf(GrainId grain);
}
