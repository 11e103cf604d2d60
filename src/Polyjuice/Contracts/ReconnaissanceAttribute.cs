namespace Polyjuice;

/// <summary>
/// Allows that transactions which a grain interface method starts are first run dry, where their policy wants that: to
/// find out what they access, and to load it. A dry run's reads see no one transaction's view, its writes are dropped,
/// and its exceptions are ignored. What the method does outside of transactional state happens in it too, unless
/// <see cref="TransactionContext.IsReconnaissance"/> guards it.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ReconnaissanceAttribute : Attribute;
