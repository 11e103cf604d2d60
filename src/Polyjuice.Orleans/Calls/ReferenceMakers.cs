using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Orleans;
using Orleans.GrainReferences;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Makers of grain references: of interfaces with transactional methods, those whose calls <see cref="CallRuntime"/>
/// makes; of all others Orleans' own, so that a plain call has nothing of this engine on its way. Asked once for each
/// interface and grain type.
/// </summary>
/// <param name="plain">Makes Orleans' references.</param>
/// <param name="taken">Makes those whose transactional calls are taken over.</param>
internal sealed class ReferenceMakers(
    IGrainReferenceActivatorProvider plain, IGrainReferenceActivatorProvider taken) : IGrainReferenceActivatorProvider
{
    /// <inheritdoc/>
    public bool TryGet(
        GrainType grainType, GrainInterfaceType interfaceType,
        [NotNullWhen(true)] out IGrainReferenceActivator? activator)
    {
        if (!plain.TryGet(grainType, interfaceType, out activator)) return false;

        // What interface that is, only a reference tells; which grain it is to does not matter.
        var reference = activator.CreateReference(GrainId.Create(grainType, IdSpan.Create("0")));
        return !HasTransactions(reference.GetType()) || taken.TryGet(grainType, interfaceType, out activator);
    }

    /// <summary>
    /// Whether calls of any method are transactional requests: those are what
    /// Orleans' generator has been told to make for the method's attribute.
    /// </summary>
    internal static bool HasTransactions(Type referenceClass) =>
        referenceClass.GetInterfaces().SelectMany(static type => type.GetMethods())
            .SelectMany(static method => method.GetCustomAttributes())
                .SelectMany(static attribute => attribute.GetType().GetCustomAttributes<InvokableBaseTypeAttribute>())
                .Any(static made => made.InvokableBaseType.IsAssignableTo(typeof(TransactionRequestBase)));
}
