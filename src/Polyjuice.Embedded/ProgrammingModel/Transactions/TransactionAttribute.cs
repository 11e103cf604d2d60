namespace Orleans;

/// <summary>Says how a grain interface method relates to the transaction that it is called in. A method without it runs outside of any.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TransactionAttribute : Attribute
{
    /// <summary>Creates it.</summary>
    public TransactionAttribute(TransactionOption requirement) => Requirement = requirement;

    /// <summary>Creates it, in other systems' words.</summary>
    public TransactionAttribute(TransactionOptionAlias alias) => Requirement = (TransactionOption)(int)alias;

    /// <summary>How the method relates to transactions.</summary>
    public TransactionOption Requirement { get; }

    /// <summary>Declares a transaction that the method starts read-only; <c>[ReadOnly]</c> does the same.</summary>
    public bool ReadOnly { get; set; }
}

/// <summary>The options of <see cref="TransactionOption"/> in other systems' words.</summary>
public enum TransactionOptionAlias
{
    /// <summary>See <see cref="TransactionOption.Supported"/>.</summary>
    Suppress = TransactionOption.Supported,

    /// <summary>See <see cref="TransactionOption.CreateOrJoin"/>.</summary>
    Required = TransactionOption.CreateOrJoin,

    /// <summary>See <see cref="TransactionOption.Create"/>.</summary>
    RequiresNew = TransactionOption.Create,

    /// <summary>See <see cref="TransactionOption.Join"/>.</summary>
    Mandatory = TransactionOption.Join,

    /// <summary>See <see cref="TransactionOption.NotAllowed"/>.</summary>
    Never = TransactionOption.NotAllowed,
}

/// <summary>Accepted for source compatibility: whether reads lock is the policy's business.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UseExclusiveLockAttribute : Attribute;
